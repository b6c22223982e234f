#include "tracer/nvbit/inspect.h"

#include <string>

namespace
{

using InstrType::OperandType;

uint8_t register_of(int number)
{
    return number >= 0 && number <= TRACE_REG_ZERO ? static_cast<uint8_t>(number)
                                                   : TRACE_REG_ZERO;
}

void add_source(tracer_inst &inst, int number)
{
    if (inst.src_count < TRACE_MAX_SRC)
        inst.src[inst.src_count++] = register_of(number);
}

std::string name_of(const char *prefix, int number)
{
    return number == InstrType::PT ? std::string(prefix) + "T"
                                   : prefix + std::to_string(number);
}

void add_predicate(std::string &text, const char *prefix, const InstrType::operand_t *operand)
{
    text += std::string(text.empty() ? "" : " ") + (operand->is_not ? "!" : "") +
            name_of(prefix, operand->u.pred.num);
}

std::string guard_of(Instr *instr)
{
    if (!instr->hasPred())
        return "";
    return std::string(instr->isPredNeg() ? "@!" : "@") +
           name_of(instr->isPredUniform() ? "UP" : "P", instr->getPredNum());
}

// Registers as Accel-Sim's tracer lists them: a general register as first operand
// is the destination, all others and those of addresses are sources, in order.
// Uniform registers and constants are passed over.
void add_operand(Inspected &inspected, const InstrType::operand_t *operand, bool first)
{
    tracer_inst &inst = inspected.inst;
    switch (operand->type) {
    case OperandType::MREF:
        add_source(inst, operand->u.mref.ra_num);
        inspected.operands++;
        break;
    case OperandType::REG:
        if (first)
            inst.dst[inst.dst_count++] = register_of(operand->u.reg.num);
        else
            add_source(inst, operand->u.reg.num);
        break;
    case OperandType::IMM_UINT64:
        inst.imm = operand->u.imm_uint64.value;
        break;
    case OperandType::PRED:
        add_predicate(inspected.predicates, "P", operand);
        break;
    case OperandType::UPRED:
        add_predicate(inspected.predicates, "UP", operand);
        break;
    default:
        break;
    }
}

PredicateOperand predicate_operand(Instr *instr)
{
    for (int i = 0; i < instr->getNumOperands(); i++) {
        const InstrType::operand_t *operand = instr->getOperand(i);
        const bool uniform = operand->type == OperandType::UPRED;
        if (uniform || operand->type == OperandType::PRED)
            return {operand->u.pred.num != InstrType::PT || operand->is_not, uniform,
                    operand->is_not, operand->u.pred.num};
    }
    return {};
}

std::string name_of(Instr *instr)
{
    const std::string opcode = instr->getOpcode();
    return opcode.substr(0, opcode.find('.'));
}

// Of a load of constants.
ConstantIndex constant_index(Instr *instr)
{
    const std::string name = name_of(instr);
    for (int i = 0; (name == "LDC" || name == "ULDC") && i < instr->getNumOperands(); i++) {
        const InstrType::operand_t *operand = instr->getOperand(i);
        if (operand->type != OperandType::CBANK || !operand->u.cbank.has_reg_offset)
            continue;
        const bool uniform = std::string(instr->getSass()).find("][UR") != std::string::npos;
        const int offset = operand->u.cbank.has_imm_offset ? operand->u.cbank.imm_offset : 0;
        return {true, uniform || name == "ULDC", operand->u.cbank.reg_offset,
                static_cast<uint32_t>(offset)};
    }
    return {};
}

// How many uniform registers from that of a tensor's first memory operand on: the place in
// shared memory, a barrier, and a coordinate for each dimension.
int box_registers(const std::string &opcode)
{
    for (size_t at = opcode.find('.'); at != std::string::npos; at = opcode.find('.', at + 1))
        if (at + 2 < opcode.size() && opcode[at + 1] >= '1' && opcode[at + 1] <= '5' &&
            opcode[at + 2] == 'D')
            return 2 + opcode[at + 1] - '0';
    return 2;
}

void add_registers(std::vector<Register> &registers, bool uniform, int first, int count,
                   size_t most)
{
    for (int i = 0; i < count && registers.size() < most; i++)
        registers.push_back({uniform, first + i});
}

// The registers that say which barrier in memory, how many bytes and where: of SYNCS the
// operands beside the address, of tensor and block copies all uniform ones.
std::vector<Register> copy_registers(Instr *instr)
{
    constexpr int URZ = 63, RZ = 255;
    std::vector<Register> registers;
    const std::string name = name_of(instr), opcode = instr->getOpcode();
    const bool tensor = name.compare(0, 4, "UTMA") == 0, sync = name == "SYNCS";
    int memory = 0;
    for (int i = 0;
         (tensor || sync || name.compare(0, 4, "UBLK") == 0) && i < instr->getNumOperands();
         i++) {
        const InstrType::operand_t *operand = instr->getOperand(i);
        const bool wide = opcode.find("EXCH.64") != std::string::npos;
        if (operand->type == OperandType::MREF && operand->u.mref.has_ur && !sync)
            add_registers(registers, true, operand->u.mref.ur_num,
                          tensor && memory++ == 0 ? box_registers(opcode) : 2,
                          TRACER_MOST_VALUES);
        else if (operand->type == OperandType::UREG && i > 0 && operand->u.reg.num != URZ)
            add_registers(registers, true, operand->u.reg.num, wide ? 2 : 1,
                          TRACER_MOST_VALUES);
        else if (operand->type == OperandType::REG && i > 0 && operand->u.reg.num != RZ)
            add_registers(registers, false, operand->u.reg.num, 1, TRACER_MOST_VALUES);
    }
    return registers;
}

// The registers that give a barrier's number and threads.
std::vector<Register> barrier_registers(Instr *instr)
{
    std::vector<Register> registers;
    for (int i = 0; name_of(instr) == "BAR" && i < instr->getNumOperands(); i++) {
        const InstrType::operand_t *operand = instr->getOperand(i);
        if (operand->type == OperandType::REG || operand->type == OperandType::UREG)
            add_registers(registers, operand->type == OperandType::UREG, operand->u.reg.num, 1,
                          TRACE_MAX_VALUES);
    }
    return registers;
}

} // namespace

void inspect(Inspected &inspected, Instr *instr, const char *function, uint32_t binary_version)
{
    inspected = Inspected();
    inspected.predicates = guard_of(instr);
    for (int i = 0; i < instr->getNumOperands(); i++)
        add_operand(inspected, instr->getOperand(i), i == 0);
    tracer_inst &inst = inspected.inst;
    inst.function = function;
    inst.opcode = instr->getOpcode();
    inst.predicates = inspected.predicates.c_str();
    inst.pc = instr->getOffset();
    inst.binary_version = binary_version;
    inspected.constant = constant_index(instr);
    inst.memory = inspected.operands > 0 || inspected.constant.is_there;
    inst.second = inspected.operands > 1 && name_of(instr) == "LDGSTS";
    inspected.values = inst.memory ? copy_registers(instr) : barrier_registers(instr);
    inst.values = static_cast<uint8_t>(inspected.values.size());
    if (tracer_inst_leaves(&inst) || inst.second)
        inspected.operand = predicate_operand(instr);
}
