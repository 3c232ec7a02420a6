import{n as a}from"./chunk-NGNBWFMD.js";import"./chunk-HFSVCRYL.js";import"./chunk-UGKVB4IG.js";import"./chunk-QSFIPYB6.js";export{a as default};
