import{a}from"./chunk-LINEWGON.js";import"./chunk-FOZHGNAU.js";import"./chunk-IAVCDV4L.js";import"./chunk-AGLPF4NK.js";import"./chunk-CLKZFVJH.js";export{a as default};
