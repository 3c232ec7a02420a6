import{g as a}from"./chunk-JFPR2BOL.js";import"./chunk-WJJ2V3QR.js";import"./chunk-KDK46MYN.js";import"./chunk-WPQUPXOU.js";export{a as default};
