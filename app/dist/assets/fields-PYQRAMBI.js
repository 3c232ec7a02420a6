import{a}from"./chunk-RJ6WNF3W.js";import"./chunk-6PFSUTQU.js";import"./chunk-IAVCDV4L.js";import"./chunk-CKOP3M2M.js";import"./chunk-7X34CEAT.js";export{a as default};
