import{q as a}from"./chunk-PONUJW6S.js";import"./chunk-3CWUSLFP.js";import"./chunk-6YJOQUKK.js";import"./chunk-DFOMC3KI.js";export{a as default};
