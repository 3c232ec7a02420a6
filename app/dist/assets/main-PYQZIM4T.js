<<<<<<<< HEAD:app/dist/assets/main-YCAQ2BY4.js
import{Fa as m,G as i,Ga as p,Ha as e,aa as o,b as s,h as r,v as t}from"./chunk-MKAZIOED.js";m(location.pathname);await Promise.all([i(),t()]);s(o(r,{value:e,children:o(p,{})}),document.getElementById("app"));
========
import{Fa as m,G as i,Ga as p,Ha as e,aa as o,b as s,h as r,v as t}from"./chunk-UIX2XY7K.js";m(location.pathname);await Promise.all([i(),t()]);s(o(r,{value:e,children:o(p,{})}),document.getElementById("app"));
>>>>>>>> 169970d (app: Show all that events have):app/dist/assets/main-PYQZIM4T.js
