import{a}from"./chunk-ZOZBSQRX.js";import"./chunk-UU2CQBL2.js";import"./chunk-IAVCDV4L.js";import"./chunk-CKOP3M2M.js";import"./chunk-7H2YI534.js";export{a as default};
