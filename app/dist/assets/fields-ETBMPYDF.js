import{g as a}from"./chunk-TR7E6V7I.js";import"./chunk-DIFJHKR3.js";import"./chunk-P2R5NCFZ.js";import"./chunk-RLCJSHNK.js";export{a as default};
