import{t as a}from"./chunk-6T43WBYG.js";import"./chunk-NOE4S3TG.js";import"./chunk-5DPHEVSU.js";import"./chunk-FMOE4GWA.js";export{a as default};
