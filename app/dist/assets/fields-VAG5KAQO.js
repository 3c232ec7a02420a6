import{z as a}from"./chunk-ZJEVVB43.js";import"./chunk-NBTJ5NC7.js";import"./chunk-6IUWEJ4F.js";import"./chunk-WRMNC5PJ.js";export{a as default};
