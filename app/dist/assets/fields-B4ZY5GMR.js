import{a}from"./chunk-OU46KAVW.js";import"./chunk-KSGR46ER.js";import"./chunk-IAVCDV4L.js";import"./chunk-CKOP3M2M.js";import"./chunk-KXWQXJ76.js";export{a as default};
