import{g as a}from"./chunk-CK3EDNVU.js";import"./chunk-YD5KK6G7.js";import"./chunk-XGLLBINU.js";import"./chunk-BWIV2234.js";export{a as default};
