// Two steel plates of 120 mm x 30 mm x 5 mm, lapped by 40 mm and held by one bolt in a hole of 9 mm. Lengths in m.
//   gmsh -3 plates.geo -o plates.inp                     bricks, with the node sets that reduce.toml names
//   gmsh -2 -setnumber lap_only 1 plates.geo -o lap.msh  the lap alone: the elements of the joint
// An O-grid follows the hole and the washer. Both plates have the same mesh in the lap, and share no node. With
// -setnumber refine 1 the lap has twice as many elements.
SetFactory("OpenCASCADE");
DefineConstant[ lap_only = 0, refine = 0 ];

thick = 0.005;  width = 0.03;  lap = 0.04;  free = 0.08;
hole = 0.0045;  washer = 0.008;  block = width / 2;  // radii, and half the side of the square around them
around = 6 + 2 * refine;  seat = 2 + refine;  outside = 4 + 2 * refine;  strip = 1 + refine;  // elements in the lap
along = 16;  layers = 2;                                                                     // and beyond

For plate In {0 : 1 - lap_only}
  side = 1 - 2 * plate;  // the lower plate is the upper one turned by half a turn
  z = -plate * thick;
  centre = newp;  Point(centre) = {0, 0, z};
  For level In {0:2}  // hole, washer, square: four corners each
    For k In {0:3}
      angle = Pi / 4 + k * Pi / 2;
      r = level == 0 ? hole : level == 1 ? washer : block * Sqrt(2);
      corner(4 * level + k) = newp;
      Point(corner(4 * level + k)) = {side * r * Cos(angle), side * r * Sin(angle), z};
    EndFor
  EndFor
  For level In {0:2}
    For k In {0:3}
      ring(4 * level + k) = newl;
      If (level < 2)
        Circle(ring(4 * level + k)) = {corner(4 * level + k), centre, corner(4 * level + (k + 1) % 4)};
      Else
        Line(ring(4 * level + k)) = {corner(4 * level + k), corner(4 * level + (k + 1) % 4)};
      EndIf
      Transfinite Curve {ring(4 * level + k)} = around + 1;
    EndFor
  EndFor
  plan() = {};
  For level In {0:1}
    For k In {0:3}
      spoke(k) = newl;  Line(spoke(k)) = {corner(4 * level + k), corner(4 * level + 4 + k)};
      Transfinite Curve {spoke(k)} = (level == 0 ? seat : outside) + 1;
    EndFor
    For k In {0:3}
      loop = newll;
      Curve Loop(loop) = {spoke(k), ring(4 * level + 4 + k), -spoke((k + 1) % 4), -ring(4 * level + k)};
      f = news;  Plane Surface(f) = {loop};  plan() += f;
    EndFor
  EndFor
  // Beyond the square, to the end of the lap on the right; on the left, to the end of the lap and then of the plate.
  ends() = {lap / 2, -lap / 2, -lap / 2 - free};
  from = corner(11);  to = corner(8);  rim = ring(11);
  edge() = {ring(8 + 2 * plate)};  // at y = width/2, along which shapes are drawn
  For i In {0 : lap_only ? 1 : 2}
    If (i == 1)
      from = corner(9);  to = corner(10);  rim = ring(9);
    EndIf
    x = side * ends(i);  y = side * (i == 0 ? -width : width) / 2;
    p = newp;  Point(p) = {x, y, z};  Point(p + 1) = {x, -y, z};
    l = newl;  Line(l) = {from, p};  Line(l + 1) = {p, p + 1};  Line(l + 2) = {p + 1, to};
    Transfinite Curve {l, l + 2} = (i < 2 ? strip : along) + 1;
    Transfinite Curve {l + 1} = around + 1;
    loop = newll;  Curve Loop(loop) = {l, l + 1, l + 2, -rim};
    f = news;  Plane Surface(f) = {loop};  plan() += f;
    edge() += (i == 0) == (plate == 0) ? l + 2 : l;
    from = p;  to = p + 1;  rim = l + 1;
  EndFor
  Transfinite Surface {plan()};
  Recombine Surface {plan()};
  If (lap_only)
    Physical Surface("LAP") = {plan()};
  Else
    solid() = Extrude {0, 0, thick} { Surface{plan()}; Layers{layers}; Recombine; };
    // Of each surface, Extrude lists the one opposite, the volume and four sides.
    For i In {0 : #plan() - 1}
      top(i) = solid(6 * i);  volume(11 * plate + i) = solid(6 * i + 1);
    EndFor
    If (plate == 0)
      Physical Surface("CT") = {plan({0:9})};
      Physical Surface("HEAD") = {top({0:3})};
      Physical Curve("LEFT") = {edge()};
    Else
      Physical Surface("CB") = {top({0:9})};
      Physical Surface("NUT") = {plan({0:3})};
      Physical Curve("RIGHT") = {edge()};
      Physical Point("TIP") = {p};
    EndIf
  EndIf
EndFor
If (!lap_only)
  Physical Volume("PLATES") = {volume()};
EndIf
Mesh.SaveGroupsOfNodes = 1;
