import{g as a}from"./chunk-2C2ZESBW.js";import"./chunk-LBAT4O6C.js";import"./chunk-4PPEFGCB.js";import"./chunk-M5S5WVOL.js";export{a as default};
