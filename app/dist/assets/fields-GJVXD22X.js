import{g as a}from"./chunk-3SYPQ6PK.js";import"./chunk-DUTU62RB.js";import"./chunk-CXM3BDI3.js";import"./chunk-HQ4AVS2P.js";export{a as default};
