import{a}from"./chunk-H4EA4BBD.js";import"./chunk-NVGFUM7L.js";import"./chunk-IAVCDV4L.js";import"./chunk-CKOP3M2M.js";import"./chunk-7RNSP7K3.js";export{a as default};
