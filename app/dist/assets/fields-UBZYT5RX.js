import{j as a}from"./chunk-AXYIUBLL.js";import"./chunk-VFHRFZJE.js";import"./chunk-MQFXZY33.js";import"./chunk-Y4XHGRXC.js";export{a as default};
