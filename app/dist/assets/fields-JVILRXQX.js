import{g as a}from"./chunk-456GLYRW.js";import"./chunk-IRWEATHY.js";import"./chunk-U5MEF56D.js";import"./chunk-JI7ALTUW.js";export{a as default};
