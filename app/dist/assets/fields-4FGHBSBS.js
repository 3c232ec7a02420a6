import{g as a}from"./chunk-OQDDOG6I.js";import"./chunk-ABMEBHTD.js";import"./chunk-BQ3GQA43.js";import"./chunk-DTQI4DAZ.js";export{a as default};
