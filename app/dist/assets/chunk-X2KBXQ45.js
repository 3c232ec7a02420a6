import{B as i,I as l,u as e}from"./chunk-WFXL3TXM.js";function r(){return e.value!=="connected"?null:l("span",{class:"live",children:i.shell.isLive})}export{r as a};
