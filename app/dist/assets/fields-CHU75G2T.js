import{g as a}from"./chunk-MNVPEWWO.js";import"./chunk-YOL66HKJ.js";import"./chunk-N6575AYD.js";import"./chunk-IQTMK2EY.js";export{a as default};
