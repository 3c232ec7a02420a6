import{g as a}from"./chunk-KQMHKCFF.js";import"./chunk-R7LQJT7E.js";import"./chunk-OMCGHKRY.js";import"./chunk-SGMJOVC7.js";export{a as default};
