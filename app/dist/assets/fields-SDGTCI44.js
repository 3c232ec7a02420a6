import{i as a}from"./chunk-6SXU4DXJ.js";import"./chunk-742FF4EX.js";import"./chunk-XIZ7UIEU.js";import"./chunk-OSL2SX6Q.js";export{a as default};
