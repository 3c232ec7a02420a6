import{q as a}from"./chunk-QYVJ43YM.js";import"./chunk-Q6YERHDM.js";import"./chunk-PQVCWRZR.js";import"./chunk-S3QODRDL.js";export{a as default};
