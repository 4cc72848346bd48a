// Plan view of the Brake-Reuss beam, meshed with quadrilaterals; scripts/make-brb extrudes it through the layers of
// beams, washers, heads, shanks and nuts. Lengths in mm. Around each bolt an O-grid follows the circles of the shank,
// the hole and the washer and the hexagon of head and nut; 24 elements go around.

total = 720.9;  lap = 121.4;  width = 25.4;  pitch = 30.35;
shank = 3.97;  hole = 4.216;  flats = 12.7;  washer = 8.73;
lap_0 = (total - lap) / 2;  lap_1 = (total + lap) / 2;

// Where the rings are cut: the diagonals of the block and the corners of the hexagon; elements between the cuts.
angle() = {0, 45, 60, 90, 120, 135, 180, 225, 240, 270, 300, 315};
count() = {3, 1, 2, 2, 1, 3, 3, 1, 2, 2, 1, 3};
radial() = {1, 1, 2, 2, 3};  // elements between the six levels: core, shank, hole, hexagon, washer, block

// Points of the block's rim: right and left sides at the height of the cut, top and bottom in equal steps.
rim_x() = {1, 1, 2/3, 0, -2/3, -1, -1, -1, -2/3, 0, 2/3, 1};
rim_y() = {0, 1, 1, 1, 1, 1, 0, -1, -1, -1, -1, -1};

For b In {0:2}
  cx = total / 2 + (b - 1) * pitch;
  centre = newp;  Point(centre) = {cx, 0, 0};
  For level In {0:5}
    For k In {0:11}
      at = 72 * b + 12 * level + k;
      c = Cos(angle(k) * Pi / 180);  s = Sin(angle(k) * Pi / 180);
      If (level == 5 && b > 0 && k >= 5 && k <= 7)  // the rim shared with the block before
        before() = {1, 0, 11};
        point(at) = point(72 * (b - 1) + 60 + before(k - 5));
      Else
        p = newp;  point(at) = p;
        If (level == 0)
          Point(p) = {cx + 1.6 * rim_x(k), 1.6 * rim_y(k), 0};
        ElseIf (level == 1)
          Point(p) = {cx + shank * c, shank * s, 0};
        ElseIf (level == 2)
          Point(p) = {cx + hole * c, hole * s, 0};
        ElseIf (level == 3)
          // A corner of the hexagon points along x: the radius follows from the angle to the nearest flat's middle.
          r = flats / 2 / Cos((angle(k) - 60 * Floor(angle(k) / 60) - 30) * Pi / 180);
          Point(p) = {cx + r * c, r * s, 0};
        ElseIf (level == 4)
          Point(p) = {cx + washer * c, washer * s, 0};
        Else
          Point(p) = {cx + pitch / 2 * rim_x(k), width / 2 * rim_y(k), 0};
        EndIf
      EndIf
    EndFor
  EndFor

  // Around: ring(72 b + 12 level + k) runs from cut k to the next.
  For level In {0:5}
    For k In {0:11}
      at = 72 * b + 12 * level + k;  from = point(at);  to = point(72 * b + 12 * level + (k + 1) % 12);
      If (level == 5 && b > 0 && (k == 5 || k == 6))
        ring(at) = -ring(72 * (b - 1) + 60 + (k == 5 ? 0 : 11));
      Else
        l = newl;  ring(at) = l;
        If (level == 1 || level == 2 || level == 4)
          Circle(l) = {from, centre, to};
        Else
          Line(l) = {from, to};
        EndIf
        Transfinite Curve {l} = count(k) + 1;
      EndIf
    EndFor
  EndFor

  // Outwards: spoke(60 b + 12 level + k) runs from one level to the next.
  For level In {0:4}
    For k In {0:11}
      l = newl;  spoke(60 * b + 12 * level + k) = l;
      Line(l) = {point(72 * b + 12 * level + k), point(72 * b + 12 * (level + 1) + k)};
      Transfinite Curve {l} = radial(level) + 1;
    EndFor
    For k In {0:11}
      next = (k + 1) % 12;
      loop = newll;
      Curve Loop(loop) = {ring(72 * b + 12 * level + k), spoke(60 * b + 12 * level + next),
                          -ring(72 * b + 12 * (level + 1) + k), -spoke(60 * b + 12 * level + k)};
      f = news;  Plane Surface(f) = {loop};
      Transfinite Surface {f} = {point(72 * b + 12 * level + k), point(72 * b + 12 * level + next),
                                 point(72 * b + 12 * (level + 1) + next), point(72 * b + 12 * (level + 1) + k)};
      Recombine Surface {f};
      surface(60 * b + 12 * level + k) = f;
    EndFor
  EndFor
  loop = newll;  Curve Loop(loop) = ring({72 * b : 72 * b + 11});
  f = news;  Plane Surface(f) = {loop};
  Transfinite Surface {f} = {point(72 * b + 1), point(72 * b + 5), point(72 * b + 7), point(72 * b + 11)};
  Recombine Surface {f};
  core(b) = f;
  Physical Surface(Sprintf("shank%g", b + 1)) = {core(b), surface({60 * b : 60 * b + 11})};
  Physical Surface(Sprintf("gap%g", b + 1)) = {surface({60 * b + 12 : 60 * b + 23})};
  Physical Surface(Sprintf("seat%g", b + 1)) = {surface({60 * b + 24 : 60 * b + 35})};
  Physical Surface(Sprintf("washer%g", b + 1)) = {surface({60 * b + 36 : 60 * b + 47})};
  Physical Surface(Sprintf("block%g", b + 1)) = {surface({60 * b + 48 : 60 * b + 59})};
EndFor

// Outside the blocks: the ends of the lap and the bars, as rectangles hung on the outer rims.
outer() = {lap_0, 0, lap_1, total};
along() = {3, 40};
lower = point(60 + 7);  middle = point(60 + 6);  upper = point(60 + 5);
lower_line = -ring(60 + 6);  upper_line = -ring(60 + 5);
For i In {0:3}
  If (i == 2)
    lower = point(144 + 60 + 11);  middle = point(144 + 60);  upper = point(144 + 60 + 1);
    lower_line = ring(144 + 60 + 11);  upper_line = ring(144 + 60);
  EndIf
  x = outer(i);
  p = newp;  Point(p) = {x, -width / 2, 0};  Point(p + 1) = {x, 0, 0};  Point(p + 2) = {x, width / 2, 0};
  l = newl;
  Line(l) = {p, p + 1};  Line(l + 1) = {p + 1, p + 2};  Line(l + 2) = {lower, p};  Line(l + 3) = {p + 2, upper};
  Transfinite Curve {l, l + 1} = 4;
  Transfinite Curve {l + 2, l + 3} = along(i % 2) + 1;
  loop = newll;  Curve Loop(loop) = {l + 2, l, l + 1, l + 3, -upper_line, -lower_line};
  f = news;  Plane Surface(f) = {loop};
  Transfinite Surface {f} = {lower, p, p + 2, upper};
  Recombine Surface {f};
  strip(i) = f;
  lower = p;  middle = p + 1;  upper = p + 2;  lower_line = l;  upper_line = l + 1;
EndFor
Physical Surface("ends") = {strip(0), strip(2)};
Physical Surface("left") = {strip(1)};
Physical Surface("right") = {strip(3)};
