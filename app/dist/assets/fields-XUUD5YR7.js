import{q as a}from"./chunk-L4DXJZNR.js";import"./chunk-IRN6FHY3.js";import"./chunk-IH5AZMKK.js";import"./chunk-IA5RPQGS.js";export{a as default};
