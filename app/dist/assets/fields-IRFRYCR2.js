import{t as a}from"./chunk-PLXKXNEQ.js";import"./chunk-WAE64ENI.js";import"./chunk-22JYNXKR.js";import"./chunk-4UQRHQNC.js";export{a as default};
