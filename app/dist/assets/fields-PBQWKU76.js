import{q as a}from"./chunk-33Y7I6QX.js";import"./chunk-G6J2KERT.js";import"./chunk-UOSPTDTC.js";import"./chunk-CLRFWCWC.js";export{a as default};
