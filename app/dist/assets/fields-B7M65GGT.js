import{j as a}from"./chunk-DL2E5X7S.js";import"./chunk-QXY2JQRV.js";import"./chunk-5MK472X5.js";import"./chunk-ELBNIOB3.js";export{a as default};
