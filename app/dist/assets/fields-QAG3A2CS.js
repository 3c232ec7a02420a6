import{a}from"./chunk-M7RT5GPW.js";import"./chunk-KGX5AKSK.js";import"./chunk-IAVCDV4L.js";import"./chunk-UXHSJVYS.js";import"./chunk-ZXVF43H3.js";export{a as default};
