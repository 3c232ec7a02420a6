import{q as a}from"./chunk-G7R232Z2.js";import"./chunk-WVABMW4N.js";import"./chunk-MYR73OA3.js";import"./chunk-HWWPC37B.js";export{a as default};
