import{n as a}from"./chunk-CQB2T26W.js";import"./chunk-WPKR3ZCK.js";import"./chunk-NMRKRVGQ.js";import"./chunk-OVN6CR5E.js";import"./chunk-D5LFE6Z7.js";export{a as default};
