import{s as a}from"./chunk-EXYQB5HF.js";import"./chunk-5FTOWU6M.js";import"./chunk-BRPDLSH3.js";import"./chunk-YMF6MGR6.js";export{a as default};
