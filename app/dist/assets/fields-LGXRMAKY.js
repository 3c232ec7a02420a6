import{z as a}from"./chunk-75GEJU2J.js";import"./chunk-X6OBWBRR.js";import"./chunk-YXTCNJTI.js";import"./chunk-K4STUUEJ.js";export{a as default};
