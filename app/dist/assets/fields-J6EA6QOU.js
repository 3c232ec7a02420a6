import{g as a}from"./chunk-IBUPPRWX.js";import"./chunk-X4EJWZ4F.js";import"./chunk-RLCA2CXR.js";import"./chunk-HBLZTXPX.js";export{a as default};
