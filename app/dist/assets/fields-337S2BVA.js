import{g as a}from"./chunk-YF5WFI7Z.js";import"./chunk-GYUBNVNU.js";import"./chunk-DG4FOOBS.js";import"./chunk-NRODDDNR.js";export{a as default};
