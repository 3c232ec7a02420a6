import{a}from"./chunk-JYVPCDSG.js";import"./chunk-WW3FDY7R.js";import"./chunk-IAVCDV4L.js";import"./chunk-AGLPF4NK.js";import"./chunk-NYLLQ6MN.js";export{a as default};
