import{n as a}from"./chunk-Z2CHDVNQ.js";import"./chunk-6MK2YKWJ.js";import"./chunk-T65XWYFO.js";import"./chunk-VTQHA62M.js";export{a as default};
