import{q as a}from"./chunk-FJQQQIXA.js";import"./chunk-QSESZG7D.js";import"./chunk-R5RVNW4M.js";import"./chunk-DPAP2F3H.js";export{a as default};
