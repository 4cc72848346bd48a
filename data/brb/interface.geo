// Coarse mesh of the Brake-Reuss beam's interface, for the full-joint model: 152 nodes, 120 quadrilaterals. Twelve
// elements go around each bolt; the second ring ends at the washer's rim. Lengths in mm, written in m.

Mesh.ScalingFactor = 0.001;
total = 720.9;  lap = 121.4;  width = 25.4;  pitch = 30.35;
radius() = {4.216, 6.4, 8.73};  // hole, middle, washer
around = 3;  // elements on each side of a block
rim_x() = {1, -1, -1, 1};  rim_y() = {1, 1, -1, -1};

For b In {0:2}
  cx = total / 2 + (b - 1) * pitch;
  centre = newp;  Point(centre) = {cx, 0, 0};
  For level In {0:3}
    For k In {0:3}
      at = 16 * b + 4 * level + k;
      If (level == 3 && b > 0 && (k == 1 || k == 2))  // the rim shared with the block before
        point(at) = point(16 * (b - 1) + 12 + (k == 1 ? 0 : 3));
      Else
        p = newp;  point(at) = p;
        If (level < 3)
          Point(p) = {cx + radius(level) * Cos(Pi / 4 + k * Pi / 2), radius(level) * Sin(Pi / 4 + k * Pi / 2), 0};
        Else
          Point(p) = {cx + pitch / 2 * rim_x(k), width / 2 * rim_y(k), 0};
        EndIf
      EndIf
    EndFor
  EndFor
  For level In {0:3}
    For k In {0:3}
      at = 16 * b + 4 * level + k;
      If (level == 3 && b > 0 && k == 1)
        ring(at) = -ring(16 * (b - 1) + 12 + 3);
      Else
        l = newl;  ring(at) = l;
        If (level < 3)
          Circle(l) = {point(at), centre, point(16 * b + 4 * level + (k + 1) % 4)};
        Else
          Line(l) = {point(at), point(16 * b + 4 * level + (k + 1) % 4)};
        EndIf
        Transfinite Curve {l} = around + 1;
      EndIf
    EndFor
  EndFor
  For level In {0:2}
    For k In {0:3}
      l = newl;  spoke(12 * b + 4 * level + k) = l;
      Line(l) = {point(16 * b + 4 * level + k), point(16 * b + 4 * (level + 1) + k)};
      Transfinite Curve {l} = 2;
    EndFor
    For k In {0:3}
      next = (k + 1) % 4;
      loop = newll;
      Curve Loop(loop) = {ring(16 * b + 4 * level + k), spoke(12 * b + 4 * level + next),
                          -ring(16 * b + 4 * (level + 1) + k), -spoke(12 * b + 4 * level + k)};
      f = news;  Plane Surface(f) = {loop};
      Transfinite Surface {f} = {point(16 * b + 4 * level + k), point(16 * b + 4 * level + next),
                                 point(16 * b + 4 * (level + 1) + next), point(16 * b + 4 * (level + 1) + k)};
      Recombine Surface {f};
      surface(12 * b + 4 * level + k) = f;
    EndFor
  EndFor
EndFor

// The ends of the lap.
For i In {0:1}
  lower = i == 0 ? point(12 + 2) : point(32 + 12 + 3);
  upper = i == 0 ? point(12 + 1) : point(32 + 12 + 0);
  side = i == 0 ? -ring(12 + 1) : ring(32 + 12 + 3);  // from lower to upper
  x = i == 0 ? (total - lap) / 2 : (total + lap) / 2;
  p = newp;  Point(p) = {x, -width / 2, 0};  Point(p + 1) = {x, width / 2, 0};
  l = newl;  Line(l) = {p, p + 1};  Line(l + 1) = {lower, p};  Line(l + 2) = {p + 1, upper};
  Transfinite Curve {l} = around + 1;
  Transfinite Curve {l + 1, l + 2} = 3;
  loop = newll;  Curve Loop(loop) = {l + 1, l, l + 2, -side};
  f = news;  Plane Surface(f) = {loop};
  Transfinite Surface {f} = {lower, p, p + 1, upper};
  Recombine Surface {f};
  strip(i) = f;
EndFor
Physical Surface("interface") = {surface(), strip()};
