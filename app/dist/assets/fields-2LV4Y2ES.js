import{t as a}from"./chunk-ZYLRPUPA.js";import"./chunk-K5L3KI54.js";import"./chunk-I5GHN3XA.js";import"./chunk-OGGHFR4C.js";export{a as default};
