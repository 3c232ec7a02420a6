import{n as a}from"./chunk-6TDYDRS2.js";import"./chunk-LHBPYGRD.js";import"./chunk-ZLVJRANZ.js";import"./chunk-K7U43RV5.js";import"./chunk-HOKL4HLG.js";export{a as default};
