import{z as a}from"./chunk-QZTCDWZ5.js";import"./chunk-CDSJETEX.js";import"./chunk-S42FUQEU.js";import"./chunk-USILI4XP.js";export{a as default};
