import{a}from"./chunk-2BCAODCH.js";import"./chunk-FK3XFE4F.js";import"./chunk-IAVCDV4L.js";import"./chunk-CKOP3M2M.js";import"./chunk-65CI63CN.js";export{a as default};
