import{q as a}from"./chunk-H656OGNG.js";import"./chunk-UAUH4XZ4.js";import"./chunk-2IXVZSFI.js";import"./chunk-EZXOKYIR.js";export{a as default};
