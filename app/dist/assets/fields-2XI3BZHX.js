import{q as a}from"./chunk-LDD4FGWB.js";import"./chunk-7VPOQAXH.js";import"./chunk-I2H4SLOU.js";import"./chunk-5EKPP673.js";export{a as default};
