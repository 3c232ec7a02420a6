import{q as a}from"./chunk-LR2WG4AM.js";import"./chunk-3ECGUMNB.js";import"./chunk-OZ7JACVD.js";import"./chunk-AJNOUZO3.js";export{a as default};
