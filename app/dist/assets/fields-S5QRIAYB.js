import{g as a}from"./chunk-KHAP6ZSA.js";import"./chunk-43SYWFRG.js";import"./chunk-A3BBHJ3L.js";import"./chunk-DECFH3GX.js";export{a as default};
