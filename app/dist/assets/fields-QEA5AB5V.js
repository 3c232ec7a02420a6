import{n as a}from"./chunk-MFLL7GXQ.js";import"./chunk-TFPSX3L4.js";import"./chunk-SOANO6JJ.js";import"./chunk-FB5HDGVV.js";import"./chunk-JU3VNAYE.js";export{a as default};
