import{t as a}from"./chunk-6F7SDX3F.js";import"./chunk-XMK27F6P.js";import"./chunk-QV2WTZLV.js";import"./chunk-OVBL4H3X.js";export{a as default};
