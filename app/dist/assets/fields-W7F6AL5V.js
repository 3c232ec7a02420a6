import{g as a}from"./chunk-ULDEDPBS.js";import"./chunk-YZDS5O3N.js";import"./chunk-4BMQ6R2D.js";import"./chunk-73U37PAP.js";export{a as default};
