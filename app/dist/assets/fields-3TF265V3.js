import{a}from"./chunk-T6UFVJ22.js";import"./chunk-JFKLJ3TH.js";import"./chunk-IAVCDV4L.js";import"./chunk-CKOP3M2M.js";import"./chunk-ZPTWVQVN.js";export{a as default};
